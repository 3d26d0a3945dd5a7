/** Blocks this thread for a millisecond, where nothing tells when the other side goes on. */
export function pauseBriefly(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, 1);
}
