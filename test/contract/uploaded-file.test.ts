import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, type UploadedFile, uploadedFile } from '../../server-runtime/index.ts';
import { ask, formBody } from '../helpers/ask.ts';

const note = new File(['häl'], 'note.txt', { type: 'text/plain' });

describe('uploaded file', () => {
  it('has its content as buffer and its media type as mimeType', async () => {
    const uploadNote = capability(
      z.object({ note: z.custom<UploadedFile>() }),
      ({ note: { buffer, mimeType } }) => ({
        isBuffer: Buffer.isBuffer(buffer),
        text: buffer.toString(),
        mimeType,
      }),
    );
    expect(
      await ask(
        { capabilities: { notes: { uploadNote } } },
        'POST /notes/upload-note',
        formBody(['note', note]),
      ),
    ).toMatchObject({ body: { data: { isBuffer: true, text: 'häl', mimeType: 'text/plain' } } });
  });

  it('has the filename and the size in bytes besides', async () => {
    const uploadNote = capability(
      z.object({ note: uploadedFile() }),
      ({ note: { filename, size } }) => [filename, size],
    );
    expect(
      await ask(
        { capabilities: { notes: { uploadNote } } },
        'POST /notes/upload-note',
        formBody(['note', note]),
      ),
    ).toMatchObject({ body: { data: ['note.txt', 4] } });
  });
});
