package site_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing/fstest"

	"clade/cmd/view/site"
)

// A site of one page gets a route that answers JSON, and refuses a number out of range in words.
func Example() {
	web := fstest.MapFS{"index.html": {Data: []byte(`<script type="importmap">{}</script>`)}}
	s, err := site.New(site.Options{}, web)
	if err != nil {
		panic(err)
	}
	s.Get("double", func(r *http.Request) (any, error) {
		n, err := site.Number(r, "n", 1, 0, 100)
		return map[string]int{"double": 2 * n}, err
	})
	for _, link := range []string{"/api/double?n=21", "/api/double?n=many"} {
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, httptest.NewRequest("GET", "http://localhost"+link, nil))
		fmt.Println(answer.Code, answer.Body)
	}
	// Output:
	// 200 {"double":42}
	// 400 {"error":"n \"many\" is not a whole number in 0..100"}
}
