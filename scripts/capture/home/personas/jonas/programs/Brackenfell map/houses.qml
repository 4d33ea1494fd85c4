<!DOCTYPE qgis PUBLIC "http://mrcc.com/qgis.dtd" "SYSTEM">
<qgis version="3.22" styleCategories="Symbology">
 <renderer-v2 type="singleSymbol"><symbols><symbol type="fill" name="0" alpha="1"><layer class="SimpleFill" enabled="1" pass="0" locked="0"><prop k="color" v="205,150,120,255"/><prop k="outline_color" v="110,70,50,255"/><prop k="outline_width" v="0.2"/><prop k="style" v="solid"/><prop k="outline_style" v="solid"/></layer></symbol></symbols></renderer-v2>
</qgis>
