#!/bin/sh
# Checks these runs: that no file was changed, and with "again" that they come out again.
set -eu
cd "$(dirname "$0")"
for run in runs/*; do
  (cd "$run" && sha256sum --quiet -c checksums.sha256)
done
echo "every file is as it was written"
if ! command -v clade >/dev/null; then
  echo "install clade to check the fingerprints too"
  exit 0
fi
clade verify runs
[ "${1:-}" = again ] || exit 0
for study in studies/*.toml; do
  name=$(basename "$study" .toml)
  clade run "$study" --out "again/$name"
  cmp "runs/$name/done.json" "again/$name/done.json"
done
echo "every run came out again"
