import type { ServerResponse } from 'node:http';

/** The headers of an answer in the order in which they were sent, with names as they were sent; none where nothing was. */
export function answerHeaders(response: ServerResponse): readonly (readonly [name: string, value: string])[] {
  const head = headOf(response);
  if (head !== undefined)
    return head
      .split('\r\n')
      .slice(1)
      .filter((line) => line !== '')
      .map((line) => {
        const end = line.indexOf(':');
        return [line.slice(0, end), line.slice(end + 1).trim()] as const;
      });
  return Object.entries(response.getHeaders()).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, String(one)] as const),
  );
}

/** The head as text. Headers that `writeHead` is given are in no other place; answers over HTTP/2 have no such text. */
function headOf(response: ServerResponse): string | undefined {
  const { _header: head } = response as ServerResponse & { readonly _header?: unknown };
  return typeof head === 'string' ? head : undefined;
}
