import type { TypeMistake } from './type-mistake.ts';

const jobs = `import { queueTransport } from 'capix/queue';
const jobs = queueTransport({ capabilities });`;

export const queueMistakes: readonly TypeMistake[] = [
  {
    title: 'a job of a key that there is not',
    code: `${jobs} void jobs.enqueue('users.getUsr', { id: '1' });`,
    says: [`'"users.getUsr"' is not assignable to parameter of type '"users.getUser"'`],
  },
  {
    title: 'a job with another field',
    code: `${jobs} void jobs.enqueue('users.getUser', { idd: '1' });`,
    says: [`'idd' does not exist in type '{ id: string; }'`],
  },
  {
    title: 'a job without its input',
    code: `${jobs} void jobs.enqueue('users.getUser');`,
    says: [`Expected 2-3 arguments, but got 1`],
  },
  {
    title: 'the id of a job, read as its result',
    code: `${jobs} async () => (await jobs.enqueue('users.getUser', { id: '1' })).name;`,
    says: [`'name' does not exist on type 'string'`],
  },
  {
    title: 'a misspelt option of a job',
    code: `${jobs} void jobs.enqueue('users.getUser', { id: '1' }, { delay: 5 });`,
    says: [`'delay' does not exist in type 'JobOptions'`],
  },
  {
    title: 'settings of a job that there is not',
    code: `${jobs} queueTransport({ capabilities, jobs: { 'users.getUsr': { attempts: 1 } } });`,
    says: [`'users.getUsr'' does not exist in type`],
  },
  {
    title: 'failed jobs of a key that there is not',
    code: `${jobs} void jobs.failed('users.getUsr');`,
    says: [`'"users.getUsr"' is not assignable to parameter of type '"users.getUser"'`],
  },
  {
    title: 'jobs that the context of the server does not fit',
    code: `${jobs} createServer({ transports: [jobs] });`,
    says: [`db`],
  },
];
