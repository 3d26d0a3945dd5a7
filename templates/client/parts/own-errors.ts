function readError(body: Fields, _name?: string): Refusal {
  const { error, message, meta } = body as { readonly error?: unknown; readonly message?: string; readonly meta?: Meta };
  return typeof error === 'string' ? { name: error, message, meta } : { name: 'Unknown', message, meta: body };
}
