package source

import "fmt"

// ArrowError reports a data set in Arrow files, as the datasets library keeps
// it in its own cache and on "save to disk". Convert is the command that writes
// it as Parquet, which is what can be read.
type ArrowError struct {
	Path    string
	Convert string
}

// Error says what was found where.
func (e *ArrowError) Error() string {
	return fmt.Sprintf("reading %q: it holds Arrow files of the datasets library, which are not read; Parquet files are", e.Path)
}

// arrowError finds out how the files at a path were written, since each way
// needs another command to read them.
func arrowError(path string, has func(name string) bool) *ArrowError {
	load := fmt.Sprintf("datasets.concatenate_datasets([datasets.Dataset.from_file(f) for f in sorted(glob.glob(r'%s/**/*.arrow', recursive=True))])", path)
	switch {
	case has("dataset_dict.json"):
		load = fmt.Sprintf("datasets.concatenate_datasets(list(datasets.load_from_disk(r'%s').values()))", path)
	case has("state.json"):
		load = fmt.Sprintf("datasets.load_from_disk(r'%s')", path)
	}
	return &ArrowError{path, fmt.Sprintf(`python -c "import datasets, glob; %s.to_parquet('data.parquet')"`, load)}
}
