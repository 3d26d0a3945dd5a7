import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import * as z from 'zod';
import { bytes, capability, defaultErrors, reply } from '../../../server-runtime/index.ts';

const folder = await realpath(resolve('public'));
const types: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

export const getFile = capability(
  z.object({ path: z.string() }),
  async ({ path }) => {
    const file = await realpath(join(folder, path)).catch(() => folder);
    const facts = await stat(file);
    if (!file.startsWith(folder + sep) || !facts.isFile()) throw defaultErrors.NotFound();
    const type = types[extname(file)] ?? 'application/octet-stream';
    const headers = {
      'content-type': type,
      'content-length': `${facts.size}`,
      etag: `"${facts.mtimeMs}"`,
    };
    return reply(createReadStream(file), { headers });
  },
  'query',
)
  .route('GET', '/*path')
  .output(bytes('application/octet-stream', ...Object.values(types)));
