// Inflates reels (RFC 1951): as a module, or as a worker of its own, which is sent {number, packed}
// and answers {number, bytes} or {number, fault}.
export async function inflate(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

if (globalThis.WorkerGlobalScope) {
  onmessage = async ({ data: { number, packed } }) => {
    try {
      const bytes = await inflate(packed);
      postMessage({ number, bytes }, { transfer: [bytes.buffer] });
    } catch (err) {
      postMessage({ number, fault: err.message });
    }
  };
}
