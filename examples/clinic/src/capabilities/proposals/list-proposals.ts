import { asc, eq } from 'drizzle-orm';
import * as z from 'zod';
import { memberCap } from '../../context.ts';
import { proposals } from '../../db/schema.ts';
import { Proposal } from './proposal.ts';

export const listProposals = memberCap
  .describe('Visits that wait for a decision')
  .output(z.array(Proposal))(
  ({ clinicId }, { db }) =>
    db.query.proposals.findMany({
      where: eq(proposals.clinicId, clinicId),
      orderBy: asc(proposals.startsAt),
    }),
  'query',
);
