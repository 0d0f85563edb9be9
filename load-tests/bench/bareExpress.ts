import express from 'express';

/* A minimal Express server with one route. `start.ts` compares the API with it. */
express()
  .get('/readyz', (_req, res) => {
    res.json({ status: 'ok' });
  })
  .listen(Number(process.argv[2]), '127.0.0.1');
