/** Parts of a request of the revision 2026-07-28. */
export interface StatelessAsk {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** @default none */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const REVISION = '2026-07-28';
let lastId = 0;

/** The message of a request, which says in itself who asks. */
export function toStatelessMessage({ method, params = {}, capabilities = {} }: StatelessAsk) {
  const _meta = {
    ...(params['_meta'] as object | undefined),
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return { jsonrpc: '2.0', id: ++lastId, method, params: { ...params, _meta } };
}

/** Asks a server of the revision 2026-07-28 over HTTP. */
export function postStateless(url: string, ask: StatelessAsk): Promise<Response> {
  const name = ask.params?.['name'] ?? ask.params?.['uri'];
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': ask.method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...ask.headers,
    },
    body: JSON.stringify(toStatelessMessage(ask)),
    ...(ask.signal === undefined ? {} : { signal: ask.signal }),
  });
}

export interface StatelessAnswer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
  /** The notifications before the answer. */
  readonly notes: readonly {
    readonly method: string;
    readonly params: Readonly<Record<string, unknown>>;
  }[];
}

/** Asks, and gives the answer with the notifications before it. */
export async function askStateless(url: string, ask: StatelessAsk): Promise<StatelessAnswer> {
  const response = await postStateless(url, ask);
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const messages = (
    isStream ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data ?? '') : [text]
  ).map((each) => JSON.parse(each) as { method?: string });
  const notes = messages.filter(
    ({ method }) => method !== undefined,
  ) as unknown as StatelessAnswer['notes'];
  return { ...(messages.at(-1) as Omit<StatelessAnswer, 'notes'>), notes };
}
