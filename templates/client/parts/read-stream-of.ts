/** The items of a stream with their dates and big integers. */
function readStreamOf(revive: Revive): Reader {
  return async function* (response, sending) {
    for await (const item of readStream(response, sending)) yield revive(item);
  };
}
