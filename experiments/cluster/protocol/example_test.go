package protocol_test

import (
	"crypto/ed25519"
	"fmt"

	"clade/experiments/cluster/protocol"
)

// What a worker signs for one subject cannot be sent under another.
func Example() {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		panic(err)
	}
	message := protocol.Sign(private, "results", []byte("a result"))
	name, content, err := protocol.Verify("results", message)
	fmt.Println(name == protocol.NameOf(public), string(content), err)
	_, _, err = protocol.Verify("tasks", message)
	fmt.Println(err != nil)
	// Output:
	// true a result <nil>
	// true
}
