"""Abbreviations and sentence openers, German and English, for the sentence splitter.

Collected by hand from Duden's and the German courts' usual legal abbreviations, and from Indian, British
and European drafting practice. Entries are casefolded, without blanks and without the last full stop.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER_LAST = {
    "de": _words(
        """
        abb abs abschn allg alt anl anm art aufl az bd begr bes beschl betr bgbl bsp bspw buchst
        bzgl bzw ca chr d d.h dgl dipl dr ebd ehem einschl engl entspr erg erl erwgr evtl fam fig fn
        frl gbl geb gegr gem gest gez ggf ggü gvbl halbs hausnr hl hr hrn hrsg hs i.d.f i.d.r i.h.v
        i.s i.s.d i.s.v i.v i.v.m ill ing insb insbes jhrl jr jährl kap lfd lit ltd m.a.w m.e max
        min mind monatl mtl n.chr nr nrn o.e o.g o.ä.m obj od op pos prof randnr rd rdnr reg rn rz
        s.a s.o s.u schr seb sen sgn sog spez st staatl stellv str tab tel tsd u.u urspr urt usf v.a
        v.chr verf verh verw vgl vors vs z.b z.hd z.t z.zt zb zgl ziff zit zzgl ü
        """
    ),
    "en": _words(
        """
        abs adm adv approx art arts capt cf chap cl cls cmdr col cum dept dr e.g ed eds eg esp est
        ext fig figs g.s.r gen gov hon i.e ie incl l.j lt m/s messrs mr mrs ms mt no nos nr op para
        paras pp prof r.w ref reg regd regs rep resp rev rs s s.o sch sec secs sect sen sgt shri smt
        sq ss st sub-sec subs subsec tel v viz vol vols vs w.e.f w.r.t
        """
    ),
}
"""Something always follows these: a full stop after them never ends a sentence."""

SELDOM_LAST = {
    "de": _words(
        """
        a.a.o apr aug bürgerl co dez e.v etc f feb ff i.r inc jan jh jhd jul jun km² min mio mrd mrz
        nov o.a o.ä okt p.a pol s sek sep sept std u.a u.a.m u.v.m u.ä uam usw uvm v.h z.b.v
        """
    ),
    "en": _words(
        """
        a.m al apr aug ave b.a bros cent co corp d.c dec etc feb govt ibid inc jan jul jun llp ltd
        m.a mar nov oct p.a p.m ph.d pvt s.a sep sept u.k u.n u.s u.s.a
        """
    ),
}
"""A full stop after these ends a sentence only where a usual opener follows."""

OPENERS = {
    "de": _words(
        """
        aber alle allein als also am an andere anders angesichts auch auf aus außerdem bei beide
        bereits bis bisher da dabei dadurch dafür dagegen daher damit danach daneben dann daran
        darauf daraus darin darum darüber das dass davon dazu dem den denn dennoch der deren des
        deshalb deswegen die dies diese diesem diesen dieser dieses doch dort durch ebenso ein eine
        einem einen einer eines er erst es für gegen gerade gleichzeitig hier hierbei hierfür hierzu
        ich ihr ihre im immer in insbesondere ist jede jeder jedes jedoch kein keine können man mehr
        mit mithilfe nach nachdem neben nicht noch nun nur ob obwohl oder ohne schon sein seine seit
        sie sind so sobald solche sollte sollten somit sondern sowie statt trotz um und uns unser
        unsere unter viele vielmehr vom von vor wann warum was weder wegen weil weiter weitere
        weiterhin welche wenn wer werden wie wir wird wo wobei während zu zudem zugleich zum zur
        zurzeit zusätzlich zwar zwischen
        """
    ),
    "en": _words(
        """
        a after all also although an and any as at because before both but by despite during each
        either every for from furthermore he hence here however if in it its moreover neither no nor
        not nothing on once only or our provided she since so some such that the their then there
        therefore these they this those thus to under unless until upon we what when where whether
        which while who with within you
        """
    ),
}
"""Words that usually open a sentence when they stand with a capital after a doubtful full stop."""
