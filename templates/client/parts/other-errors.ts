/** Of an envelope that does not name the error its status does, and the whole body is its meta. */
function readError(body: Fields, name: string | undefined): Refusal {
  const [message] = [body['message'], body['detail']].filter((value) => typeof value === 'string');
  if (typeof body['error'] === 'string') return { name: body['error'], message, meta: body['meta'] as Meta };
  return { name: name ?? (typeof body['title'] === 'string' ? body['title'] : 'Unknown'), message, meta: body };
}
