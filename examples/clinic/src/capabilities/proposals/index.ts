export { acceptProposal } from './accept-proposal.js';
export { createProposal } from './create-proposal.js';
export { listProposals } from './list-proposals.js';
