import { asc, eq } from 'drizzle-orm';
import * as z from 'zod';
import { memberCap } from '../../context.js';
import { proposals } from '../../db/schema.js';
import { Proposal } from './proposal.js';

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
