package study

// held maps names of files, as values of a sweep, to what the files hold, so that the sweep can be
// read again without them.
type held map[namedFile]string

// namedFile is the value of a key that names a file.
type namedFile struct{ key, name string }

// note records the values of a combination that changed when its study was resolved, as names of
// files do.
func (h held) note(of combination, resolved *Study) {
	for key, v := range of {
		name, isText := v.(string)
		if !isText {
			continue
		}
		if text, ok := resolved.value(key); ok && text != v {
			h[namedFile{key, name}] = text.(string)
		}
	}
}

// sweep returns a sweep with names of files replaced by what the files hold.
func (h held) sweep(w *Sweep) *Sweep {
	if len(h) == 0 {
		return w
	}
	made := *w
	made.Settings, made.Merge = h.table("", w.Settings), h.table("", w.Merge)
	made.Cells, made.Exclude = h.tables(w.Cells), h.tables(w.Exclude)
	return &made
}

func (h held) tables(tables []map[string]any) (made []map[string]any) {
	for _, table := range tables {
		made = append(made, h.table("", table))
	}
	return made
}

// table returns a table whose keys follow a prefix.
func (h held) table(prefix string, table map[string]any) map[string]any {
	if table == nil {
		return nil
	}
	made := map[string]any{}
	for key, v := range table {
		made[key] = h.value(prefix+key, v)
	}
	return made
}

func (h held) value(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		return h.table(key+".", v)
	case []any:
		made := make([]any, len(v))
		for i := range v {
			made[i] = h.value(key, v[i])
		}
		return made
	case string:
		if text, ok := h[namedFile{key, v}]; ok {
			return text
		}
	}
	return v
}
