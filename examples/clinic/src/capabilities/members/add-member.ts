import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { ownerCap } from '../../context.ts';
import { members, user } from '../../db/schema.ts';
import { NotFound } from '../../errors.ts';

const Role = z.enum(['owner', 'staff', 'assistant']);

export const addMember = ownerCap
  .input(z.object({ email: z.email(), role: Role }))
  .describe('Make somebody who has signed up a member, or give a member another role')
  .errors(NotFound)
  .output(z.object({ userId: z.string(), role: Role }))(
  async ({ clinicId, email, role }, { db }) => {
    const person = await db.query.user.findFirst({ where: eq(user.email, email) });
    if (!person) throw NotFound(`Nobody has signed up as ${email}.`);
    await db
      .insert(members)
      .values({ clinicId, userId: person.id, role })
      .onConflictDoUpdate({ target: [members.clinicId, members.userId], set: { role } });
    return { userId: person.id, role };
  },
);
