export { addMember } from './add-member.ts';
