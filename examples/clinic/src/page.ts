import { readFile } from 'node:fs/promises';

const pages = new Map([
  ['/app/', { file: 'index.html', type: 'text/html; charset=utf-8' }],
  ['/app/page.js', { file: 'page.js', type: 'text/javascript' }],
]);

/** The page at `/app/`. In production, nginx serves it from the same folder. */
export async function servePage(request: Request): Promise<Response> {
  const page = pages.get(new URL(request.url).pathname);
  if (page === undefined) return new Response('There is no such page', { status: 404 });
  const body = await readFile(new URL(`../public/${page.file}`, import.meta.url));
  return new Response(body, { headers: { 'content-type': page.type } });
}
