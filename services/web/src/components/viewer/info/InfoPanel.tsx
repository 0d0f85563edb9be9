import { SearchCheck, TriangleAlert, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../controls/IconButton.tsx';
import type { ViewedItem } from '../item/viewedItem.ts';
import { AlbumsSection, FileSection, TextSection, ThingsSection, CameraSection, DateSection } from './InfoSections.tsx';
import { DescriptionField } from './DescriptionField.tsx';
import styles from './InfoPanel.module.css';
import { InfoRow } from './InfoRow.tsx';
import { PeopleSection } from './PeopleSection.tsx';
import { PlaceSection } from './PlaceSection.tsx';
import { ProcessingSection } from './ProcessingSection.tsx';

/** Details of an item, next to the stage or below it. Visitors see fewer. */
export const InfoPanel = (props: {
  readonly id: string;
  readonly item: ViewedItem | undefined;
  /** Match reasons of a search result. */
  readonly matchReasons: string | undefined;
  readonly isVisitor: boolean;
  readonly onClose: () => void;
}) => {
  const { t } = useTranslation('viewer');
  const { id, item, isVisitor } = props;
  return (
    <aside className={styles['panel']} aria-label={t('info.title')}>
      <header className={styles['header']}>
        <h2 className={styles['title']}>{t('info.title')}</h2>
        <IconButton icon={X} label={t('info.close')} onClick={props.onClose} />
      </header>
      {item !== undefined && (
        <>
          {isVisitor ? (
            item.description !== undefined && <p className={styles['text']}>{item.description}</p>
          ) : (
            <DescriptionField key={id} id={id} saved={item.description ?? ''} />
          )}
          {(item.original === 'DAMAGED' || item.original === 'MISSING') && (
            <InfoRow icon={TriangleAlert} label={t('info.original.title')}>
              <p>{t(`info.original.${item.original}`)}</p>
            </InfoRow>
          )}
          {props.matchReasons !== undefined && (
            <InfoRow icon={SearchCheck} label={t('info.found')}>
              <p>{t('info.foundBecause', { reasons: props.matchReasons })}</p>
            </InfoRow>
          )}
          <DateSection item={item} />
          <CameraSection item={item} />
          {!isVisitor && (
            <>
              <PeopleSection id={id} />
              <PlaceSection id={id} item={item} />
              <AlbumsSection id={id} />
              <ThingsSection id={id} />
              {item.text !== undefined && <TextSection lines={item.text} />}
            </>
          )}
          <FileSection item={item} />
          {item.processing !== undefined && <ProcessingSection runs={item.processing} />}
        </>
      )}
    </aside>
  );
};
