/** Text of generated pages and signs, with line heights in pixels. The test media have few of each language. */
export const drawnTexts = {
  en: [
    { lines: ['Mind the step', 'Please keep this door closed at night'], lineHeight: 90 },
    {
      lines: [
        'Dear neighbours,',
        'on Saturday the water will be turned off from eight',
        'in the morning until noon, because the pipes in the',
        'cellar have to be replaced. We are sorry for the',
        'trouble, and thank you for your patience.',
        'Receipt no. 4711, total 23.90, paid in cash',
      ],
      lineHeight: 40,
    },
  ],
  de: [
    { lines: ['Vorsicht Stufe', 'Bitte die Haustür nachts geschlossen halten'], lineHeight: 90 },
    {
      lines: [
        'Liebe Nachbarn,',
        'am Samstag wird das Wasser von acht Uhr früh bis',
        'zum Mittag abgestellt, weil die Rohre im Keller',
        'erneuert werden müssen. Die Störung tut uns leid,',
        'und wir danken für eure Geduld. Herzliche Grüße',
        'Quittung Nr. 4711, Summe 23,90 in bar bezahlt',
      ],
      lineHeight: 40,
    },
  ],
  fr: [
    { lines: ['Attention à la marche', 'Prière de fermer cette porte la nuit'], lineHeight: 90 },
    {
      lines: [
        'Chers voisins,',
        'samedi, nous couperons le service de huit heures du',
        'matin jusqu’à midi, parce que les tuyaux de la cave',
        'doivent être remplacés. Nous regrettons la gêne et',
        'vous remercions de votre patience. Très cordialement',
        'Reçu numéro 4711, total 23,90, réglé en espèces',
      ],
      lineHeight: 40,
    },
  ],
} as const;
