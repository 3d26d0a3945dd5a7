import { fromNodeHeaders } from 'better-auth/node';
import { mcpTransport } from 'capix/mcp';
import type { Auth } from './auth.ts';
import { capabilities } from './capabilities.ts';
import type { Settings } from './settings.ts';

const { listClinics } = capabilities.clinics;
const { bookings, proposals } = capabilities.clinic;
const { getBooking, listBookings } = bookings;
const { createProposal, listProposals } = proposals;

/** An assistant may read and propose. What is not in this list is not a tool, whoever asks. */
const tools = {
  clinics: { listClinics },
  bookings: { listBookings, getBooking },
  proposals: { createProposal, listProposals },
};

export const assistant = (auth: Auth, { URL: url }: Settings) =>
  mcpTransport({
    port: false,
    name: 'clinic',
    instructions: 'Reads the bookings of a clinic, and proposes visits. People accept them.',
    allowedHosts: ['localhost', '127.0.0.1', new URL(url).hostname],
    capabilities: tools,
    authorize: async ({ headers }) => {
      const session = await auth.api.getSession({ headers: fromNodeHeaders(headers) });
      return session && { id: session.user.id };
    },
  });
