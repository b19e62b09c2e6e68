package source

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The download cache of Hugging Face keeps a data set as
//
//	datasets--ORG--NAME/blobs/DIGEST           the files' contents
//	datasets--ORG--NAME/refs/main              the name of a snapshot
//	datasets--ORG--NAME/snapshots/COMMIT/…     links to ../../blobs/DIGEST
//
// (huggingface_hub, guides/manage-cache). ModelScope keeps plain files.

// boundary is the directory that reading a data folder may not leave, and the
// folder's path in it with slashes. They differ for snapshots of a hub's cache.
func boundary(dir string) (bound, below string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", "", err
	}
	if isCache(dir) {
		snapshot, err := currentSnapshot(dir)
		return dir, path.Join("snapshots", snapshot), err
	}
	for at := dir; filepath.Dir(at) != at; at = filepath.Dir(at) {
		snapshots := filepath.Dir(at)
		repository := filepath.Dir(snapshots)
		if filepath.Base(snapshots) != "snapshots" || !isCache(repository) {
			continue
		}
		rel, err := filepath.Rel(repository, dir)
		return repository, filepath.ToSlash(rel), err
	}
	return dir, ".", nil
}

// isCache tells whether a directory is a repository in a hub's cache.
func isCache(dir string) bool {
	has := func(name string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err == nil && info.IsDir()
	}
	return has("snapshots") && (has("blobs") || has("refs"))
}

// currentSnapshot is the snapshot that refs/main names, or else the only one.
func currentSnapshot(repository string) (string, error) {
	entries, err := os.ReadDir(filepath.Join(repository, "snapshots"))
	if err != nil {
		return "", err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if ref, err := os.ReadFile(filepath.Join(repository, "refs", "main")); err == nil {
		if name := strings.TrimSpace(string(ref)); slices.Contains(names, name) {
			return name, nil
		}
	}
	switch len(names) {
	case 0:
		return "", fmt.Errorf("the cache holds no snapshot: %w", fs.ErrNotExist)
	case 1:
		return names[0], nil
	}
	return "", fmt.Errorf("the cache holds several snapshots and refs/main names none of them; name one: %s", strings.Join(names, ", "))
}
