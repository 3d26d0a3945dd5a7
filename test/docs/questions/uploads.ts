import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { bytes, capability, reply, uploadedFile } from '../../../server-runtime/index.ts';

const folder = tmpdir(); // yours
const File = z.object({ file: uploadedFile({ stream: true, maxSize: 2_000_000_000 }) });

export const upload = capability(File, async ({ file }, ctx) => {
  const id = crypto.randomUUID();
  await pipeline(file.stream, createWriteStream(join(folder, id)), { signal: ctx.signal });
  return { id };
});

export const download = capability(
  z.object({ id: z.uuid() }),
  async ({ id }) => {
    const path = join(folder, id);
    const { size } = await stat(path);
    const headers = {
      'content-length': `${size}`,
      'content-disposition': 'attachment; filename="report.pdf"',
    };
    return reply(createReadStream(path), { headers });
  },
  'query',
).output(bytes('application/octet-stream'));
