import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { uploadedFile } from 'capix';
import { and, eq } from 'drizzle-orm';
import * as z from 'zod';
import { staffCap } from '../../context.ts';
import { bookings, files } from '../../db/schema.ts';
import { NotFound } from '../../errors.ts';

const Upload = z.object({
  bookingId: z.uuid(),
  file: uploadedFile({
    stream: true,
    maxSize: 20_000_000,
    accept: ['application/pdf', 'image/*', 'text/plain'],
  }),
});

export const addFile = staffCap
  .input(Upload)
  .route('POST', '/bookings/:bookingId/files')
  .describe('Add a file to a booking')
  .errors(NotFound)
  .output(z.object({ id: z.uuid(), bytes: z.int() }), { status: 201 })(
  async ({ clinicId, bookingId, file }, { db, settings, signal }) => {
    const booking = await db.query.bookings.findFirst({
      where: and(eq(bookings.clinicId, clinicId), eq(bookings.id, bookingId)),
    });
    if (!booking) throw NotFound(`There is no booking ${bookingId}.`);
    const id = crypto.randomUUID();
    const path = join(settings.FILES, id);
    await mkdir(settings.FILES, { recursive: true });
    try {
      const target = createWriteStream(path, { flags: 'wx' });
      await pipeline(file.stream, target, { signal });
      const bytes = target.bytesWritten;
      const { filename: name, mimeType: type } = file;
      await db.insert(files).values({ id, bookingId, name, type, bytes });
      return { id, bytes };
    } catch (error) {
      await rm(path, { force: true }); // The sender left, or the file is too large.
      throw error;
    }
  },
);
