package broker_test

import (
	"crypto/ed25519"
	"fmt"

	"clade/experiments/cluster/broker"
)

// What a worker signs for one subject cannot be sent under another.
func Example() {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		panic(err)
	}
	message := broker.Sign(private, "results", []byte("a result"))
	name, content, err := broker.Verify("results", message)
	fmt.Println(name == broker.NameOf(public), string(content), err)
	_, _, err = broker.Verify("tasks", message)
	fmt.Println(err != nil)
	// Output:
	// true a result <nil>
	// true
}
