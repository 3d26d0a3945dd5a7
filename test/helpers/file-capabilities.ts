import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import {
  capability,
  defaultErrors,
  defineGuard,
  type UploadedFile,
  uploadedFile,
} from '../../server-runtime/index.ts';

/** How often `files.createFile` was called; a test may set it back. */
export const called = { createFile: 0 };

const mustBeUser = defineGuard((ctx: { readonly user?: string | undefined }) => {
  if (ctx.user === undefined) throw defaultErrors.Unauthorized();
});

/** Capabilities that take files in each of the ways: optional and several, with rules of their own, behind a guard, as a stream. */
export const files = {
  createFile: capability(
    z.object({
      title: z.string().optional(),
      count: z.number().optional(),
      tags: z.array(z.string()).optional(),
      avatar: z.custom<UploadedFile>().optional(),
      pages: z.array(uploadedFile()).optional(),
    }),
    ({ avatar, pages, ...texts }) => {
      called.createFile++;
      return {
        ...texts,
        ...(avatar && { avatar: shown(avatar) }),
        ...(pages && { pages: pages.map(shown) }),
      };
    },
  ),
  updateFile: capability(
    z.object({
      id: z.number(),
      avatar: uploadedFile({ maxSize: 4, accept: ['image/*', 'text/plain'] }),
    }),
    ({ id, avatar }) => ({ id, ...shown(avatar) }),
  ),
  replaceFile: capability
    .withContext<{ readonly user?: string | undefined }>()(
      z.object({ id: z.string(), avatar: uploadedFile() }),
      ({ id }) => id,
    )
    .guard(mustBeUser),
  hashFile: capability(
    z.object({
      name: z.string().optional(),
      file: uploadedFile({ stream: true, maxSize: 3_000_000 }),
    }),
    async ({ name, file }) => {
      const hash = createHash('sha256');
      await pipeline(file.stream, hash);
      return { name, filename: file.filename, hash: hash.digest('hex') };
    },
    'mutation',
  ),
};

function shown({ buffer, ...file }: UploadedFile): object {
  return { text: buffer.toString(), ...file };
}

/** A form of texts and files, sent by POST. */
export function form(
  ...parts: readonly (readonly [name: string, value: string | File])[]
): RequestInit {
  const body = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, value, value.name);
  }
  return { method: 'POST', body };
}

export function file(
  text: string | Uint8Array<ArrayBuffer>,
  name = 'a.txt',
  type = 'text/plain',
): File {
  return new File([text], name, { type });
}

/** A body as it is, sent by POST as a form with the boundary `X`. */
export function rawForm(
  body: string | Uint8Array<ArrayBuffer>,
  type = 'multipart/form-data; boundary=X',
): RequestInit {
  return { method: 'POST', headers: { 'content-type': type }, body };
}
