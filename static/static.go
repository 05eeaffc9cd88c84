// Package static holds what the pages are made of: templates, the style sheet,
// the script, and the texts in each language.
package static

import "embed"

// Files are all of them, by their paths in this folder.
//
//go:embed templates/*.html css js texts
var Files embed.FS
