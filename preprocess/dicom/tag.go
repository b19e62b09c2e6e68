package dicom

import "fmt"

// Tag names a data element: the group in the upper 16 bits, the element in the
// lower.
type Tag uint32

// The allow-list: no other element's value is read (PS3.6).
const (
	tagTransferSyntaxUID Tag = 0x0002_0010

	tagImageType         Tag = 0x0008_0008
	tagSOPClassUID       Tag = 0x0008_0016
	tagSOPInstanceUID    Tag = 0x0008_0018
	tagModality          Tag = 0x0008_0060
	tagIdentityRemoved   Tag = 0x0012_0062
	tagImagerSpacing     Tag = 0x0018_1164
	tagScannedSpacing    Tag = 0x0018_2010
	tagSeriesInstanceUID Tag = 0x0020_000e
	tagInstanceNumber    Tag = 0x0020_0013
	tagPosition          Tag = 0x0020_0032
	tagOrientation       Tag = 0x0020_0037

	tagSamples        Tag = 0x0028_0002
	tagPhotometric    Tag = 0x0028_0004
	tagPlanar         Tag = 0x0028_0006
	tagFrames         Tag = 0x0028_0008
	tagRows           Tag = 0x0028_0010
	tagColumns        Tag = 0x0028_0011
	tagSpacing        Tag = 0x0028_0030
	tagAspect         Tag = 0x0028_0034
	tagBitsAllocated  Tag = 0x0028_0100
	tagBitsStored     Tag = 0x0028_0101
	tagHighBit        Tag = 0x0028_0102
	tagRepresentation Tag = 0x0028_0103
	tagPadding        Tag = 0x0028_0120
	tagPaddingLimit   Tag = 0x0028_0121
	tagBurnedIn       Tag = 0x0028_0301

	tagWindowCenter      Tag = 0x0028_1050
	tagWindowWidth       Tag = 0x0028_1051
	tagIntercept         Tag = 0x0028_1052
	tagSlope             Tag = 0x0028_1053
	tagRescaleType       Tag = 0x0028_1054
	tagWindowExplanation Tag = 0x0028_1055
	tagVOIFunction       Tag = 0x0028_1056

	tagRedDescriptor   Tag = 0x0028_1101
	tagGreenDescriptor Tag = 0x0028_1102
	tagBlueDescriptor  Tag = 0x0028_1103
	tagRedTable        Tag = 0x0028_1201
	tagGreenTable      Tag = 0x0028_1202
	tagBlueTable       Tag = 0x0028_1203
	tagRedSegments     Tag = 0x0028_1221
	tagGreenSegments   Tag = 0x0028_1222
	tagBlueSegments    Tag = 0x0028_1223

	tagModalityLUT   Tag = 0x0028_3000
	tagLUTDescriptor Tag = 0x0028_3002
	tagLUTTable      Tag = 0x0028_3006
	tagVOILUT        Tag = 0x0028_3010

	tagPixelMeasures  Tag = 0x0028_9110
	tagFrameVOI       Tag = 0x0028_9132
	tagPixelTransform Tag = 0x0028_9145
	tagSharedGroups   Tag = 0x5200_9229
	tagFrameGroups    Tag = 0x5200_9230

	tagExtendedOffsets Tag = 0x7fe0_0001
	tagExtendedLengths Tag = 0x7fe0_0002
	tagFloatPixels     Tag = 0x7fe0_0008
	tagDoublePixels    Tag = 0x7fe0_0009
	tagPixels          Tag = 0x7fe0_0010
)

// Marks of structure (PS3.5, 7.5).
const (
	tagItem        Tag = 0xfffe_e000
	tagItemEnd     Tag = 0xfffe_e00d
	tagSequenceEnd Tag = 0xfffe_e0dd
)

// names are for messages.
var names = map[Tag]string{
	tagTransferSyntaxUID: "TransferSyntaxUID",
	tagImageType:         "ImageType",
	tagSOPClassUID:       "SOPClassUID",
	tagSOPInstanceUID:    "SOPInstanceUID",
	tagModality:          "Modality",
	tagIdentityRemoved:   "PatientIdentityRemoved",
	tagImagerSpacing:     "ImagerPixelSpacing",
	tagScannedSpacing:    "NominalScannedPixelSpacing",
	tagSeriesInstanceUID: "SeriesInstanceUID",
	tagInstanceNumber:    "InstanceNumber",
	tagPosition:          "ImagePositionPatient",
	tagOrientation:       "ImageOrientationPatient",
	tagSamples:           "SamplesPerPixel",
	tagPhotometric:       "PhotometricInterpretation",
	tagPlanar:            "PlanarConfiguration",
	tagFrames:            "NumberOfFrames",
	tagRows:              "Rows",
	tagColumns:           "Columns",
	tagSpacing:           "PixelSpacing",
	tagAspect:            "PixelAspectRatio",
	tagBitsAllocated:     "BitsAllocated",
	tagBitsStored:        "BitsStored",
	tagHighBit:           "HighBit",
	tagRepresentation:    "PixelRepresentation",
	tagPadding:           "PixelPaddingValue",
	tagPaddingLimit:      "PixelPaddingRangeLimit",
	tagBurnedIn:          "BurnedInAnnotation",
	tagWindowCenter:      "WindowCenter",
	tagWindowWidth:       "WindowWidth",
	tagIntercept:         "RescaleIntercept",
	tagSlope:             "RescaleSlope",
	tagRescaleType:       "RescaleType",
	tagWindowExplanation: "WindowCenterWidthExplanation",
	tagVOIFunction:       "VOILUTFunction",
	tagRedDescriptor:     "RedPaletteColorLookupTableDescriptor",
	tagGreenDescriptor:   "GreenPaletteColorLookupTableDescriptor",
	tagBlueDescriptor:    "BluePaletteColorLookupTableDescriptor",
	tagRedTable:          "RedPaletteColorLookupTableData",
	tagGreenTable:        "GreenPaletteColorLookupTableData",
	tagBlueTable:         "BluePaletteColorLookupTableData",
	tagRedSegments:       "SegmentedRedPaletteColorLookupTableData",
	tagGreenSegments:     "SegmentedGreenPaletteColorLookupTableData",
	tagBlueSegments:      "SegmentedBluePaletteColorLookupTableData",
	tagModalityLUT:       "ModalityLUTSequence",
	tagLUTDescriptor:     "LUTDescriptor",
	tagLUTTable:          "LUTData",
	tagVOILUT:            "VOILUTSequence",
	tagPixelMeasures:     "PixelMeasuresSequence",
	tagFrameVOI:          "FrameVOILUTSequence",
	tagPixelTransform:    "PixelValueTransformationSequence",
	tagSharedGroups:      "SharedFunctionalGroupsSequence",
	tagFrameGroups:       "PerFrameFunctionalGroupsSequence",
	tagExtendedOffsets:   "ExtendedOffsetTable",
	tagExtendedLengths:   "ExtendedOffsetTableLengths",
	tagFloatPixels:       "FloatPixelData",
	tagDoublePixels:      "DoubleFloatPixelData",
	tagPixels:            "PixelData",
}

// String is the tag as (gggg,eeee), with its keyword where it is on the
// allow-list.
func (t Tag) String() string {
	s := fmt.Sprintf("(%04x,%04x)", uint32(t)>>16, uint32(t)&0xffff)
	if name, ok := names[t]; ok {
		s += " " + name
	}
	return s
}
