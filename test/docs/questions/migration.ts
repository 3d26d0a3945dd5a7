import express from 'express';
import * as z from 'zod';
import { capability, createServer, toNodeHandler } from '../../../server-runtime/index.ts';

// Was: app.get('/users/:id', (req, res) => res.json({ id: req.params.id }))
const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id }));

export const app = express();
app.use(toNodeHandler(createServer({ capabilities: { users: { getUser } } }))); // other routes go on
app.get('/orders/:id', (request, response) => void response.json({ id: request.params.id })); // not moved yet
