export { addMember } from './add-member.js';
