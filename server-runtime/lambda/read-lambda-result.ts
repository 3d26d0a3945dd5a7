import { isVersion2, type LambdaEvent } from './lambda-event.ts';

/** An answer of a function: `cookies` of payload 2, `multiValueHeaders` of payload 1 where its event has them. */
export interface LambdaResult {
  /** Status of the answer. */
  readonly statusCode: number;
  /** The headers, with commas between several values. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** All values of each header. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The texts of `Set-Cookie`. */
  readonly cookies?: readonly string[] | undefined;
  /** The body, as base64 where `isBase64Encoded`. */
  readonly body: string;
  /** Whether `body` is base64: it is not text. */
  readonly isBase64Encoded: boolean;
}

interface LambdaHead {
  readonly statusCode: LambdaResult['statusCode'];
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
}

/** The result of an event, once the whole answer is there. */
export async function readLambdaResult(event: LambdaEvent, response: Response): Promise<LambdaResult> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isText = isTextAnswer(response.headers);
  const body = { body: bytes.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
  const { statusCode, headers, cookies } = toLambdaHead(response);
  if (isVersion2(event)) return { statusCode, headers, cookies, ...body };
  if (event.multiValueHeaders === undefined || event.multiValueHeaders === null) {
    // A load balancer without lists takes one cookie: the last.
    const cookie = cookies.at(-1);
    return { statusCode, headers: cookie === undefined ? headers : { ...headers, 'set-cookie': cookie }, ...body };
  }
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return { statusCode, multiValueHeaders: cookies.length === 0 ? lists : { ...lists, 'set-cookie': cookies }, ...body };
}

/** Status and headers, with cookies beside them, which must not be joined by commas. */
export function toLambdaHead({ status, headers }: Response): LambdaHead {
  const others = [...headers].filter(([name]) => name !== 'set-cookie');
  return { statusCode: status, headers: Object.fromEntries(others), cookies: headers.getSetCookie() };
}

function isTextAnswer(headers: Headers): boolean {
  if ((headers.get('content-encoding') ?? 'identity') !== 'identity') return false;
  const [type = ''] = (headers.get('content-type') ?? 'text/plain').split(';');
  return /^text\/|[/+](json|xml|javascript|yaml|x-www-form-urlencoded|x-ndjson|jsonl)$/i.test(type.trim());
}
