/** One value by each name. */
export type LambdaTexts = Readonly<Record<string, string | undefined>> | null | undefined;

/** All values by each name. */
export type LambdaLists = Readonly<Record<string, readonly string[] | undefined>> | null | undefined;

/** An event of payload 1: REST APIs of API Gateway, HTTP APIs that ask for it, and load balancers. */
export interface LambdaEventV1 {
  /** The HTTP method. */
  readonly httpMethod: string;
  /** The path, without the query. */
  readonly path: string;
  /** The last value of each header. */
  readonly headers?: LambdaTexts | undefined;
  /** All values of each header. */
  readonly multiValueHeaders?: LambdaLists | undefined;
  /** The last value of each name in the query. */
  readonly queryStringParameters?: LambdaTexts | undefined;
  /** All values of each name in the query. */
  readonly multiValueQueryStringParameters?: LambdaLists | undefined;
  /** The body, as base64 where `isBase64Encoded`. */
  readonly body?: string | null | undefined;
  /** Whether `body` is base64. */
  readonly isBase64Encoded?: boolean | undefined;
  /** The caller's address, and `elb` for a load balancer, which leaves the query encoded. */
  readonly requestContext?:
    | { readonly identity?: { readonly sourceIp?: string | undefined } | undefined; readonly elb?: unknown }
    | undefined;
}

/** An event of payload 2: HTTP APIs of API Gateway, and function URLs. */
export interface LambdaEventV2 {
  /** The version of the payload. */
  readonly version: string;
  /** The path, encoded, without the query. */
  readonly rawPath: string;
  /** The query, encoded. */
  readonly rawQueryString: string;
  /** The cookies, which are not in `headers`. */
  readonly cookies?: readonly string[] | undefined;
  /** The headers, with commas between several values. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body, as base64 where `isBase64Encoded`. */
  readonly body?: string | null | undefined;
  /** Whether `body` is base64. */
  readonly isBase64Encoded?: boolean | undefined;
  /** The method and the caller's address. */
  readonly requestContext: { readonly http: { readonly method: string; readonly sourceIp?: string | undefined } };
}

/** An event of AWS Lambda that is an HTTP request. */
export type LambdaEvent = LambdaEventV1 | LambdaEventV2;

/** A request, and the address of its caller. */
export interface LambdaRequest {
  readonly request: Request;
  readonly remoteAddress: string | undefined;
}

export function isVersion2(event: LambdaEvent): event is LambdaEventV2 {
  return 'rawPath' in event;
}

/** The request of an event. */
export function toLambdaRequest(event: LambdaEvent): LambdaRequest {
  return isVersion2(event) ? fromVersion2(event) : fromVersion1(event);
}

function fromVersion2({
  rawPath,
  rawQueryString,
  headers,
  cookies,
  requestContext,
  ...body
}: LambdaEventV2): LambdaRequest {
  const { method, sourceIp } = requestContext.http;
  const all = new Headers(toPairs(headers));
  if (cookies !== undefined && cookies.length > 0) all.set('cookie', cookies.join('; '));
  const url = `${rawPath}${rawQueryString === '' ? '' : `?${rawQueryString}`}`;
  return { request: toRequest({ method, url, headers: all, ...body }), remoteAddress: sourceIp };
}

function fromVersion1(event: LambdaEventV1): LambdaRequest {
  const { httpMethod: method, path, headers, multiValueHeaders, requestContext, body, isBase64Encoded } = event;
  const query = toPairs(event.multiValueQueryStringParameters ?? event.queryStringParameters);
  const text =
    requestContext?.elb === undefined
      ? new URLSearchParams(query).toString()
      : query.map(([name, value]) => `${name}=${value}`).join('&');
  const all = new Headers(toPairs(multiValueHeaders ?? headers));
  const url = `${path}${text === '' ? '' : `?${text}`}`;
  return {
    request: toRequest({ method, url, headers: all, body, isBase64Encoded }),
    remoteAddress: requestContext?.identity?.sourceIp,
  };
}

/** Each value by its name. */
function toPairs(values: LambdaTexts | LambdaLists): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([name, value]) => {
    const all: readonly string[] = value === undefined ? [] : typeof value === 'string' ? [value] : value;
    return all.map((each): [string, string] => [name, each]);
  });
}

interface RequestParts {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
}

function toRequest({ method, url, headers, body, isBase64Encoded }: RequestParts): Request {
  // A path may begin with two slashes, which a relative address would read as a host.
  const address = `https://${headers.get('host') ?? 'lambda'}${url}`;
  const hasBody = typeof body === 'string' && body !== '' && method !== 'GET' && method !== 'HEAD';
  if (!hasBody) return new Request(address, { method, headers });
  return new Request(address, { method, headers, body: isBase64Encoded === true ? Buffer.from(body, 'base64') : body });
}
