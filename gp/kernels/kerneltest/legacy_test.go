package kerneltest

import (
	"encoding/hex"
	"testing"

	"clade/gp/proof"
)

func TestIsLegacySSE(t *testing.T) {
	for bytes, want := range map[string]bool{
		"660fefc0": true, "f30f6f00": true, "0f57c0": true, "660f3817c0": true,
		"0f85d4ffffff": false, "4889c8": false, "62f1fe486f06": false, "c5fdefc0": false,
		"f30fb8c1": false, "0fbcc1": false, "": false,
	} {
		b := proof.Must(hex.DecodeString(bytes))(t)
		if isLegacySSE(b) != want {
			t.Errorf("isLegacySSE(%s) = %v", bytes, !want)
		}
	}
}

func TestListing(t *testing.T) {
	all, err := listing("f STEXT size=7\n\t0x0000 00000 (f.s:1)\tTEXT\tf(SB), " +
		"$0\n\t0x0000 00000 (f.s:2)\tMOVOU\tX0, (AX)\n\t0x0004 00004 (f.s:3)\tINCQ\tAX\n" +
		"\t0x0000 f3 0f 7f 00 48 ff c0                             ....H..\n")
	if err != nil || len(all) != 2 || !isLegacySSE(all[0].bytes) || isLegacySSE(all[1].bytes) {
		t.Errorf("got %v, %v", all, err)
	}
	proof.Fails(listing("f STEXT size=7\n\t0x0009 00009 (f.s:2)\tINCQ\tAX\n"))(t, "at 9 of 0 bytes")
}
