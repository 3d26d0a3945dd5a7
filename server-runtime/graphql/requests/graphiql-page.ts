import { createHash } from 'node:crypto';
import type { HttpResponse } from '../../http/http-response.ts';

/** The files of the page, of the versions that have these digests. */
const cdn = 'https://cdn.jsdelivr.net/npm/';
const scripts = [
  [
    'react@18.3.1/umd/react.production.min.js',
    'sha384-DGyLxAyjq0f9SPpVevD6IgztCFlnMF6oW/XQGmfe+IsZ8TqEiDrcHkMLKI6fiB/Z',
  ],
  [
    'react-dom@18.3.1/umd/react-dom.production.min.js',
    'sha384-gTGxhz21lVGYNMcdJOyq01Edg0jhn/c22nsx0kyqP0TxaV5WVdsSH1fSDUf5YJj1',
  ],
  [
    'graphiql@3.9.0/graphiql.min.js',
    'sha384-8NGfVj4CVlqHajlZj+bPJT4thxPMHMJYn7DWK2CvtopLd02E7qsPHazniBYvVjOO',
  ],
] as const;
const styles = [
  'graphiql@3.9.0/graphiql.min.css',
  'sha384-QMux00XgRtwRLSYIY3kw2rj1ovk5AuuliAchk+HSQbqdbGFnz9GYuqIlOqxhwCE2',
] as const;

/** The page asks where it is, so that it works behind any prefix of a proxy. */
const start = `ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, { fetcher: GraphiQL.createFetcher({ url: location.pathname }) }),
);`;

const toScript = ([file, digest]: (typeof scripts)[number]): string =>
  `<script src="${cdn}${file}" integrity="${digest}" crossorigin="anonymous"></script>`;

/** The page under `capix dev` on which documents are written and sent, with GraphiQL from a CDN. */
export function toGraphiqlPage(): HttpResponse {
  const started = createHash('sha256').update(start).digest('base64');
  const [stylesFile, stylesDigest] = styles;
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL</title>
<link rel="stylesheet" href="${cdn}${stylesFile}" integrity="${stylesDigest}" crossorigin="anonymous">
<style>html, body, #graphiql { height: 100%; margin: 0; }</style></head>
<body>
<div id="graphiql">This page shows the schema in GraphiQL. For that it needs JavaScript, and four files from
cdn.jsdelivr.net.</div>
${scripts.map(toScript).join('\n')}
<script>${start}</script>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    "frame-ancestors 'none'",
    `script-src ${cdn} 'sha256-${started}'`,
    `style-src ${cdn} 'unsafe-inline'`,
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
  ].join('; ');
  return {
    headers: [
      'content-type',
      'text/html; charset=utf-8',
      'content-security-policy',
      policy,
      'vary',
      'accept',
    ],
    body,
  };
}
