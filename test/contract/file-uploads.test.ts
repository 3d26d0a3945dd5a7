import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, type UploadedFile, uploadedFile } from '../../server-runtime/index.ts';
import { ask, formBody } from '../helpers/ask.ts';

const picture = new File(['pixels'], 'a.png', { type: 'image/png' });

describe('file uploads', () => {
  it('1: send files as multipart/form-data, with other fields merged into the same input', async () => {
    const createPost = capability(
      z.object({ title: z.string(), stars: z.number(), picture: uploadedFile() }),
      ({ title, stars, picture: { size } }) => ({ title, stars, size }),
    );
    const body = formBody(['title', 'Hi'], ['picture', picture], ['stars', '5']);
    expect(
      (await ask({ capabilities: { posts: { createPost } } }, 'POST /posts', body)).body,
    ).toEqual({
      data: { title: 'Hi', stars: 5, size: 6 },
    });
  });

  it('2: give a file field as an UploadedFile', async () => {
    const createPost = capability(z.object({ picture: z.custom<UploadedFile>() }), (input) => [
      input.picture.buffer.toString(),
      input.picture.mimeType,
    ]);
    expect(
      (
        await ask(
          { capabilities: { posts: { createPost } } },
          'POST /posts',
          formBody(['picture', picture]),
        )
      ).body,
    ).toEqual({
      data: ['pixels', 'image/png'],
    });
  });
});
