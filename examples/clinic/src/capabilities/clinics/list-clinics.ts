import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { userCap } from '../../context.ts';
import { clinics, members } from '../../db/schema.ts';
import { Clinic } from './clinic.ts';

export const listClinics = userCap
  .describe('The clinics of which you are a member')
  .output(z.array(Clinic))(async (_input, { db, user }) => {
  const rows = await db
    .select({ id: clinics.id, name: clinics.name })
    .from(clinics)
    .innerJoin(members, eq(members.clinicId, clinics.id))
    .where(eq(members.userId, user.id))
    .orderBy(clinics.name);
  return rows;
}, 'query');
