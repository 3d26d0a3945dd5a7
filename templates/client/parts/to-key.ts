/** One key for all attempts of a call, unless its caller gives one: whoever repeats it gets the first answer. */
function toKey(_fields: Fields, { headers }: Outgoing): void {
  const random = crypto.getRandomValues(new Uint8Array(16));
  if (!headers.has('idempotency-key')) headers.set('idempotency-key', `"${[...random].map((each) => each.toString(16).padStart(2, '0')).join('')}"`);
}
