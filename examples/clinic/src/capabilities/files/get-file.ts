import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { bytes, reply } from 'capix';
import { and, eq } from 'drizzle-orm';
import * as z from 'zod';
import { memberCap } from '../../context.ts';
import { bookings, files } from '../../db/schema.ts';
import { NotFound } from '../../errors.ts';

export const getFile = memberCap
  .input(z.object({ id: z.uuid() }))
  .describe('The bytes of a file')
  .errors(NotFound)
  .output(bytes('application/octet-stream'))(async ({ clinicId, id }, { db, settings }) => {
  const [file] = await db
    .select({ name: files.name, bytes: files.bytes })
    .from(files)
    .innerJoin(bookings, eq(bookings.id, files.bookingId))
    .where(and(eq(files.id, id), eq(bookings.clinicId, clinicId)));
  if (!file) throw NotFound(`There is no file ${id}.`);
  return reply(createReadStream(join(settings.FILES, id)), {
    headers: {
      'content-length': String(file.bytes),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    },
  });
});
