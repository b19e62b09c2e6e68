package score

import "testing"

// TestMCQANeverGuesses: replies from which a careful reader takes no option, and
// others that look like them and state one.
func TestMCQANeverGuesses(t *testing.T) {
	findings := []Option{{"A", "Pneumonia"}, {"B", "Pleural effusion"}, {"C", "Mass"}, {"D", "No finding"}}
	colours := []Option{{"C", "Red."}, {"B", "Purple."}, {"D", "Black."}, {"A", "White."}}
	lungs := []Option{{"A", "Left lung"}, {"B", "Right lung"}, {"C", "Both lungs"}}
	yesNo := []Option{{"A", "Yes"}, {"B", "No"}}
	for _, tt := range []struct {
		options []Option
		reply   string
		want    string
	}{
		// Options that are listed behind a cue.
		{findings, "Answer:\nA. Pneumonia\nB. Pleural effusion\nC. Mass\nD. No finding", ""},
		{colours, "The final answer is: C. Red.\nB. Purple.\nD. Black.", ""},
		{findings, "Answer:\nA\nB\nC\nD", ""},
		{findings, "Answer: A\nB", ""},
		{findings, "Answer: A. Pneumonia / B. Pleural effusion", ""},
		{findings, "Answer: A. Pneumonia & B. Pleural effusion", ""},
		{findings, "Answer: A. Pneumonia with B. Pleural effusion", ""},
		{findings, "Answer: A. Pneumonia or possibly B. Pleural effusion", ""},
		{findings, "Answer: A (Pneumonia) and also B (Pleural effusion)", ""},
		{findings, "Answer: Pneumonia\nPleural effusion", ""},
		{findings, "Answer: A) Pneumonia is excluded, so B", ""},
		{findings, "选择A、B型", ""},
		{colours, "C. Red.\nB. Purple.\nD. Black.\nA. White.\nAnswer: D", "D"},
		{colours, "The answer is D.\nA. White is not seen.", "D"},
		{findings, "Answer: B\n\nExplanation:\nA. Pneumonia - no\nC. Mass - no", "B"},

		// A question that was not asked follows.
		{findings, "B. Pleural effusion\n\nQuestion: Is there a mass?\nA. Yes\nB. No\nAnswer: A", "B"},
		{colours, "Red.\n\nQuestion: next\nAnswer: A", "C"},
		{findings, "B. Pleural effusion.\nUser: What about this?\nAssistant: A. Pneumonia", "B"},
		{findings, "Question: which?\nThe answer is B.", "B"},
		{findings, "这是B。\n问题：还有吗？\n答案是A。", "A"},

		// Right is a side.
		{lungs, "A is right lung, B is left lung", ""},
		{findings, "A is right lower lobe", ""},
		{findings, "In the picture, A is right ventricle", ""},
		{findings, "B is right-sided", ""},
		{lungs, "A is right lung. The answer is B.", "B"},
		{findings, "B is the right answer.", "B"},
		{findings, "B is correct if fluid is present.", ""},
		{findings, "B is the answer to a different question.", ""},
		{findings, "A is correct that there is opacity. The answer is B.", "B"},

		// What was stated is taken back.
		{findings, "The answer is A. However, B is the better choice.", ""},
		{findings, "Answer: A. On second thought, B.", ""},
		{findings, "The answer is B.\n\nCorrection: C", ""},
		{findings, "B\n\nWait, it should be C.", ""},
		{findings, "B\n\nActually it is not B.", ""},
		{findings, "Answer: A. This is wrong.", ""},
		{findings, "The student's answer is A. This is incorrect.", ""},
		{findings, "The answer is C.\nAlso A.", ""},
		{findings, "The answer is B. However, option A is less likely.", "B"},
		{findings, "The answer is B. However, A is not excluded.", "B"},
		{findings, "The answer is B. But a small mass may hide behind it.", "B"},
		{findings, "The answer is B, not C.", "B"},
		{findings, "The answer is B (not A)", "B"},

		// What is denied, or said by others.
		{findings, "The false answer is B.", ""},
		{findings, "It is false that the answer is B.", ""},
		{findings, "It would be a mistake to say the answer is B.", ""},
		{findings, "I refuse to say that the answer is B.", ""},
		{findings, "Assume the answer is A.", ""},
		{findings, "Alternative answer: A", ""},
		{findings, "The student's answer: A", ""},
		{findings, "One would think the answer is B.", ""},
		{findings, "The least likely is:\nB", ""},
		{findings, "Incorrect:\nB", ""},
		{findings, "I would rule out the following:\nB", ""},
		{findings, "The most likely is:\nB", "B"},

		// The text of another option beside the letter.
		{findings, "B\nPneumonia", ""},
		{findings, "Pneumonia\nB", ""},
		{findings, "Answer: B.\nPneumonia", ""},
		{findings, "B\n\nThe diagnosis is pneumonia.", ""},
		{colours, "Red. The answer is A", ""},
		{yesNo, "The answer is no. It is yes.", ""},
		{findings, "Pneumonia\nPleural effusion\nMass\nNo finding\n\nAnswer: B", "B"},
		{findings, "B\nPleural effusion", "B"},

		// What is clear.
		{findings, "<answer>C", "C"},
		{findings, "I see a mass. <answer>C. Mass", "C"},
		{findings, "<answer>C or", ""},
		{findings, "<answer></answer>B", "B"},
		{findings, "<thinking>The answer is A</thinking>B", "B"},
		{findings, "Ｂ", "B"},
		{findings, "B\u200b", "B"},
		{findings, "Ans: B", "B"},
		{findings, "The correct answer would be B", "B"},
		{findings, "The answer is a mass.", "C"},
		{findings, "The answer is B…", "B"},
		{findings, "```\nB\n```", "B"},
		{findings, "故选：B", "B"},
	} {
		if v := verdictOf(tt.reply, tt.options, "A"); v.Answer != tt.want {
			t.Errorf("%q: %q by %s (%s), want %q", tt.reply, v.Answer, v.Rule, v.Explanation, tt.want)
		}
	}
}
