import { memberCap } from '../../context.ts';
import { proposals } from '../../db/schema.ts';
import { NewProposal, Proposal } from './proposal.ts';

export const createProposal = memberCap
  .input(NewProposal)
  .describe('Propose a visit. Nothing is booked until somebody of the clinic accepts it')
  .output(Proposal, { status: 201 })(async ({ clinicId, ...wanted }, { db }) => {
  const proposal = { id: crypto.randomUUID(), ...wanted };
  await db.insert(proposals).values({ clinicId, ...proposal });
  return proposal;
});
