export { acceptProposal } from './accept-proposal.ts';
export { createProposal } from './create-proposal.ts';
export { listProposals } from './list-proposals.ts';
