/** The way in which a body is read; `reason` says what is wrong and what to send, without a full stop. */
export type BodyKind =
  | { readonly kind: 'json' | 'multipart' | 'form' }
  | { readonly kind: 'unsupported'; readonly reason: string };

const json: BodyKind = { kind: 'json' };

/** A body without a type is not JSON: a page of another site can send it without asking first. */
export function matchContentType(header = '', encoding: string | undefined, takesForm: boolean): BodyKind {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return unsupported(`Content encoding '${encoding.slice(0, 40)}' is not supported; send the body as it is`);
  if (header === 'application/json') return json;
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  if (type === 'multipart/form-data') return { kind: 'multipart' };
  const isForm = takesForm && type === 'application/x-www-form-urlencoded';
  if (!isForm && !/^application\/(json|[^\s/]+\+json)$/.test(type)) {
    const fault = `Content type '${type.slice(0, 100)}' is not supported`;
    const what = type === '' ? 'The request body has no content type' : fault;
    return unsupported(`${what}; send application/json or multipart/form-data`);
  }
  const [charset = 'utf-8'] = parameters.flatMap((each) => /^charset\s*=\s*"?(.*?)"?$/.exec(each)?.[1] ?? []);
  if (charset !== 'utf-8' && charset !== 'utf8')
    return unsupported(`Charset '${charset.slice(0, 40)}' is not supported; send UTF-8`);
  return isForm ? { kind: 'form' } : json;
}

function unsupported(reason: string): BodyKind {
  return { kind: 'unsupported', reason };
}
