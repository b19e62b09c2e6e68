package dicom

import "slices"

// Texts of a file that are shown are of these terms. Others can be anything, a name
// among them, and are not repeated.

// modalities are the defined terms of Modality (PS3.3, C.7.3.1.1.1), those that
// were retired among them.
var modalities = []string{
	"ANN", "AR", "ASMT", "AU", "BDUS", "BI", "BMD", "CD", "CF", "CFM", "CP", "CR", "CS", "CT", "CTPROTOCOL", "DD", "DF", "DG",
	"DM", "DMS", "DOC", "DS", "DX", "EC", "ECG", "EEG", "EMG", "EOG", "EPS", "ES", "FA", "FID", "FS", "GM", "HC", "HD",
	"IO", "IOL", "IVOCT", "IVUS", "KER", "KO", "LEN", "LP", "LS", "M3D", "MA", "MG", "MR", "MS", "NM", "OAM", "OCT", "OP",
	"OPM", "OPR", "OPT", "OPTBSV", "OPTENF", "OPV", "OSS", "OT", "PA", "PLAN", "POS", "PR", "PT", "PX", "REG", "RESP",
	"RF", "RG", "RTDOSE", "RTIMAGE", "RTINTENT", "RTPLAN", "RTRAD", "RTRECORD", "RTSEGANN", "RTSTRUCT", "RWV", "SEG",
	"SM", "SMR", "SR", "SRF", "ST", "STAIN", "TEXTUREMAP", "TG", "US", "VA", "VF", "XA", "XAPROTOCOL", "XC",
}

// rescaleTypes are the defined terms of RescaleType (PS3.3, C.11.1.1.2).
var rescaleTypes = []string{"OD", "HU", "US", "MGML", "Z_EFF", "ED", "EDW", "HU_MOD", "PCT"}

// unread are photometric interpretations that are known and not read (PS3.3,
// C.7.6.3.1.2, those that were retired among them).
var unread = []string{"HSV", "ARGB", "CMYK", "YBR_PARTIAL_422", "YBR_PARTIAL_420", "XYB"}

// spoken are the words of which explanations of windows are made.
var spoken = []string{
	"ABDOMEN", "ABDOMINAL", "ALGO", "ANGIO", "AORTA", "BODY", "BONE", "BRAIN", "BREAST", "CARDIAC", "CHEST", "CONTRAST",
	"CORONARY", "CTA", "DEFAULT", "EXTREMITY", "FACE", "FAT", "FOSSA", "FULL", "HARD", "HARDER", "HEAD", "HEART", "HIGH",
	"INNER", "EAR", "KIDNEY", "LARGE", "LINEAR", "LIVER", "LOW", "LUNG", "LUNGS", "MEDIASTINUM", "MEDIUM", "MIP", "MUSCLE",
	"NARROW", "NECK", "NORMAL", "ORBIT", "PANCREAS", "PELVIS", "PET", "POSTERIOR", "PULMONARY", "RANGE", "SIGMOID",
	"SINUS", "SKULL", "SMALL", "SOFT", "SOFTER", "SPINE", "STANDARD", "STROKE", "SUBDURAL", "TEMPORAL", "THORAX", "TISSUE",
	"USER", "VASCULAR", "VESSEL", "VOI", "WIDE", "WINDOW",
}

// term is a code where it is one of some terms, other where it is none of them, and
// empty where there is none.
func (v value) term(known []string, other string) (string, error) {
	s, err := v.text()
	if err != nil || s == "" {
		return "", err
	}
	if !slices.Contains(known, s) {
		return other, nil
	}
	return s, nil
}
