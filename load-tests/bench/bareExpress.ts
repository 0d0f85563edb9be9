import express from 'express';

/* The program that `start.ts` compares the API with: Express and one route, and nothing else. */
express()
  .get('/readyz', (_req, res) => {
    res.json({ status: 'ok' });
  })
  .listen(Number(process.argv[2]), '127.0.0.1');
