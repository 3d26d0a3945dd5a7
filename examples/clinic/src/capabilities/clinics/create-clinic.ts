import { userTxCap } from '../../context.ts';
import { clinics, members } from '../../db/schema.ts';
import { Clinic } from './clinic.ts';

export const createClinic = userTxCap
  .input(Clinic.pick({ name: true }))
  .describe('Open a clinic; who opens it owns it')
  .output(Clinic, { status: 201 })(async ({ name }, { tx, user }) => {
  const clinic = { id: crypto.randomUUID(), name };
  await tx.insert(clinics).values(clinic);
  await tx.insert(members).values({ clinicId: clinic.id, userId: user.id, role: 'owner' });
  return clinic;
});
