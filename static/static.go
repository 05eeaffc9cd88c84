// Package static holds what the pages are made of: templates, style sheets,
// scripts, the film that keeps a phone awake, and the texts in each language.
package static

import "embed"

// Files are all of them, by their paths in this folder.
//
//go:embed templates/*.html css js texts video/*.mp4 video/*.webm
var Files embed.FS
