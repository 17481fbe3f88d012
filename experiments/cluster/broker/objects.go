package broker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// maxObject is the most bytes of an object, so that none can fill the memory.
const maxObject = 1 << 30

// Put stores an object under a name, and records by whom.
func (b *Broker) Put(ctx context.Context, name, by string, content []byte) error {
	if len(content) > maxObject {
		return fmt.Errorf("%s has %d bytes; at most %d are allowed", name, len(content), maxObject)
	}
	_, err := b.objects.Put(ctx, jetstream.ObjectMeta{Name: name, Description: by},
		bytes.NewReader(content))
	return err
}

// Get returns an object, or ErrNone.
func (b *Broker) Get(ctx context.Context, name string) ([]byte, error) {
	o, err := b.objects.Get(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	defer o.Close()
	content, err := io.ReadAll(io.LimitReader(o, maxObject+1))
	if len(content) > maxObject {
		err = fmt.Errorf("%s has more than %d bytes", name, maxObject)
	}
	return content, err
}

// By returns who has stored the object of a name; empty if there is none.
func (b *Broker) By(ctx context.Context, name string) (string, error) {
	info, err := b.objects.GetInfo(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return info.Description, nil
}

// Remove removes objects. Those that are not there are no error.
func (b *Broker) Remove(ctx context.Context, names ...string) (err error) {
	for _, name := range names {
		if no := b.objects.Delete(ctx, name); !errors.Is(no, jetstream.ErrObjectNotFound) {
			err = errors.Join(err, no)
		}
	}
	return err
}

// Objects lists the names of objects that begin with a prefix.
func (b *Broker) Objects(ctx context.Context, prefix string) ([]string, error) {
	all, err := b.objects.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		err = nil
	}
	var names []string
	for _, o := range all {
		if strings.HasPrefix(o.Name, prefix) {
			names = append(names, o.Name)
		}
	}
	return names, err
}
