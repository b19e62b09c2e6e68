package card

// The kinds of questions that a card can say its subset has.
const (
	TaskChoice = "multiple_choice_qa"
	TaskOpen   = "open_qa"
)
